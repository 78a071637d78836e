package io.prescale.controller.cli.options;

import io.prescale.controller.cli.terminal.OutputClosedException;
import io.prescale.controller.cluster.ClusterException;
import io.prescale.controller.input.InputException;
import io.prescale.forecasting.UngriddableException;

/** Exit codes for scripts; documented in {@code --help}. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  static final int BAD_INPUT = 3;
  public static final int UNREACHABLE = 4;
  static final int INTERRUPTED = 130;

  /** As of a program that ends by SIGPIPE. */
  static final int PIPE_CLOSED = 141;

  private ExitCode() {}

  public static int of(Exception failure) {
    return switch (failure) {
      case UsageException _ -> USAGE;
      case InputException e ->
          switch (e.fault()) {
            case UNUSABLE -> BAD_INPUT;
            case UNREACHABLE -> UNREACHABLE;
          };
      case ClusterException _ -> UNREACHABLE;
      case UnreachableException _ -> UNREACHABLE;
      case UngriddableException _ -> BAD_INPUT;
      case UnusableTraceException _ -> BAD_INPUT;
      case InterruptedException _ -> INTERRUPTED;
      case OutputClosedException e -> e.isClosedPipe() ? PIPE_CLOSED : FAILED;
      default -> FAILED;
    };
  }
}
