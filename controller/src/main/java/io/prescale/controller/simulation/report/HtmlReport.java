package io.prescale.controller.simulation.report;

import io.prescale.controller.simulation.replay.ReplayResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A replay as one self-contained HTML file. The page's content security policy admits only its own
 * scripts and styles, by their hashes.
 */
public final class HtmlReport {

  private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");
  private static final List<String> SCRIPT =
      List.of("data.js", "words.js", "charts.js", "gestures.js", "why.js", "page.js");
  private static final double WIDE = 860;
  private static final double NARROW = 340;

  private HtmlReport() {}

  /** Writes the page; the caller closes the writer. */
  public static void write(ReplayResult result, ReportSubject about, Writer out)
      throws IOException {
    out.write(page(result, about));
    out.flush();
  }

  private static String page(ReplayResult result, ReportSubject about) throws IOException {
    var slots = new HashMap<String, String>();
    assets(slots);
    text(slots, result, about);
    slots.put("table", PolicyTable.of(result, about).toString());
    slots.put("cost-wide", new CostChart(result, about, WIDE).svg().toString());
    slots.put("cost-narrow", new CostChart(result, about, NARROW).svg().toString());
    slots.put("calibration", CalibrationSection.of(result, about).toString());
    slots.put("data", new ChartData(result, about).json());
    return filled(resource("report.html"), slots);
  }

  private static void assets(Map<String, String> slots) throws IOException {
    String libraryStyle = resource("vendor/uPlot.min.css");
    String style = resource("report.css");
    String library = resource("vendor/uPlot.iife.min.js");
    String script = script();
    slots.put("library-style", libraryStyle);
    slots.put("style", style);
    slots.put("library", library);
    slots.put("library-licence", resource("vendor/uPlot.LICENSE.txt").strip());
    slots.put("script", script);
    slots.put(
        "policy",
        "default-src 'none'; script-src %s %s; style-src %s %s; img-src data:; base-uri 'none'; form-action 'none'"
            .formatted(hash(library), hash(script), hash(libraryStyle), hash(style)));
  }

  private static void text(Map<String, String> slots, ReplayResult result, ReportSubject about) {
    Headline headline = Headline.of(result, about);
    var settings = new Markup().open("dl");
    SettingsInWords.of(result, about)
        .forEach((term, words) -> settings.element("dt", term).element("dd", words));
    slots.put("trace", Markup.escaped(about.trace()));
    slots.put("source", Markup.escaped(about.source()));
    slots.put("subject", Markup.escaped(about.policy()));
    slots.put("headline", Markup.escaped(headline.result()));
    slots.put("verdicts", list(headline.sentences()));
    slots.put("settings", settings.close().toString());
    slots.put("zone", Markup.escaped(Figures.zone(about.zone())));
    slots.put("written", Markup.escaped(Figures.time(about.writtenAt(), about.zone())));
    slots.put("lead", Markup.escaped(Figures.duration(result.settings().coldStart().planned())));
    slots.put("window", Markup.escaped(Figures.duration(result.settings().window())));
  }

  private static String list(List<String> sentences) {
    if (sentences.isEmpty()) {
      return "";
    }
    var list = new Markup().open("ul", "class", "verdicts");
    sentences.forEach(sentence -> list.element("li", sentence));
    return list.close().toString();
  }

  /** Fills the slots in one pass, so that slots in the filled text stay as they are. */
  private static String filled(String template, Map<String, String> slots) {
    return SLOT.matcher(template)
        .replaceAll(
            slot ->
                Matcher.quoteReplacement(
                    Objects.requireNonNull(slots.get(slot.group(1)), slot.group(1))));
  }

  /** The parts of the page's script in order, in a scope of their own. */
  private static String script() throws IOException {
    var script = new StringBuilder("(() => {\n\"use strict\";\n");
    for (String part : SCRIPT) {
      script.append(resource("script/" + part));
    }
    return script.append("})();\n").toString();
  }

  /**
   * Normalises line ends, which depend on the checkout, because browsers hash the normalised text.
   */
  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      Objects.requireNonNull(in, name);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    }
  }

  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
