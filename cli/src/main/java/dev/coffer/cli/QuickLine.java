package dev.coffer.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Understands the plainest command lines without picocli, whose start takes longer than listing a
 * store does: a command, switches it knows, operands as many as it takes. Whatever else there is,
 * help and mistakes included, is left to picocli, which alone says what is right.
 */
final class QuickLine {
  private QuickLine() {}

  /** Prepares a command to be run with these arguments, its first word left out; or answers no. */
  static boolean accept(StoreCommand command, String[] args, Console console) {
    try {
      return take(command, args, console);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean take(StoreCommand command, String[] args, Console console) {
    List<String> operands = new ArrayList<>();
    Set<String> switches = new HashSet<>();
    for (int i = 1; i < args.length; i++) {
      String arg = args[i];
      if (arg.isEmpty()) {
        return false;
      } else if (!arg.startsWith("-")) {
        operands.add(arg);
      } else if (!addSwitches(arg, switches)) {
        return false;
      }
    }
    boolean quiet = switches.remove("-q") || switches.remove("--quiet");
    if (operands.isEmpty() || !command.accepts(switches, operands.subList(1, operands.size()))) {
      return false;
    }
    command.file = Path.of(operands.get(0));
    if (quiet) {
      console.setQuiet(true);
    }
    return true;
  }

  /** Takes {@code -lR} for {@code -l -R}; a switch given twice is a mistake. */
  private static boolean addSwitches(String arg, Set<String> switches) {
    if (arg.startsWith("--")) {
      return switches.add(arg);
    }
    for (int i = 1; i < arg.length(); i++) {
      if (!switches.add("-" + arg.charAt(i))) {
        return false;
      }
    }
    return arg.length() > 1;
  }
}
