package dev.coffer.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class NamesTest {
  @Test
  void controlCharactersAndBackslashesOfNamesAreEscaped() {
    assertEquals("a\\nb\\tc\\rd", Names.escape("a\nb\tc\rd"));
    assertEquals("\\x1B[31m", Names.escape("\u001b[31m"));
    assertEquals("\\x7F\\xC2\\x9B", Names.escape("\u007f\u009b"));
    assertEquals("\\xE2\\x80\\xAEtxt.exe", Names.escape("\u202etxt.exe"));
    assertEquals("a\\\\nb", Names.escape("a\\nb"));
  }

  @Test
  void otherNamesStayAsTheyAre() {
    String name = "with space 'quoted' \u00e9 e\u0301 \ud83d\ude80";
    assertEquals(name, Names.escape(name));
  }

  @Test
  void messagesKeepTheirBackslashesOnOneLine() {
    assertEquals("C:\\x: a\\nb", Names.line("C:\\x: a\nb"));
  }
}
