package io.prescale.controller.input;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read, in words for a user. */
public final class FileProblem {
  private FileProblem() {}

  /** The reason alone, for a sentence that names the file. */
  public static String of(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "you may not read this file";
      case CharacterCodingException _ -> "it is not text in UTF-8";
      default -> String.valueOf(failure.getMessage());
    };
  }

  /** The reason after the file, where the failure knows it. */
  public static String withFile(IOException failure) {
    return failure instanceof FileSystemException known
        ? "%s: %s".formatted(known.getFile(), of(failure))
        : of(failure);
  }
}
