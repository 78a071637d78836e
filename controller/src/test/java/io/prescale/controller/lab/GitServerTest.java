package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitServerTest {
  @Test
  void whatIsCommittedIsCloned(@TempDir Path folder) throws Exception {
    GitServer.assumeGit();
    try (var git = GitServer.start(folder)) {
      git.commit("chat/all.yaml", "one");
      git.commit("chat/all.yaml", "two");

      var clone = folder.resolve("clone");
      var command =
          GitServer.process(List.of("git", "clone", "-q", git.url().toString(), clone.toString()));
      assertThat(command.inheritIO().start().waitFor()).isZero();
      assertThat(clone.resolve("chat/all.yaml")).hasContent("two");
      assertThat(Files.readString(clone.resolve(".git/HEAD"))).contains(GitServer.BRANCH);
    }
  }
}
