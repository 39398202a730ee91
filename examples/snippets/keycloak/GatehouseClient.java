package com.example.gatehouse;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks Gatehouse about a signup; needs nothing but Java 17. */
public final class GatehouseClient {
    /** The verdict is "allow" where there is none. */
    public record Answer(String verdict, String reference) {}

    private static final long TIMEOUT_SECONDS = 3;
    private static final Pattern VERDICT = Pattern.compile("\"verdict\":\"(allow|challenge|block)\"");
    private static final Pattern REFERENCE = Pattern.compile("\"request_id\":\"(\\w+)\"");
    private static final Pattern MAIL_UNWANTED = Pattern.compile("\"mail_unwanted\":true");
    private static final Pattern FAULT_OF_EMAIL = Pattern.compile("\"param\":\"email\"");
    private static final Logger LOG = Logger.getLogger(GatehouseClient.class.getName());

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS)).build();
    private final URI assess;
    private final String key;

    public GatehouseClient(String url, String key) {
        this.assess = URI.create(url + "/v1/assess");
        this.key = key;
    }

    /** @param attempt your own id of this attempt: a form that is sent twice is assessed once */
    public Answer assess(String email, String ip, String attempt) {
        String body = "{\"email\":" + quote(email) + (ip == null ? "" : ",\"ip\":" + quote(ip)) + "}";
        HttpRequest request = HttpRequest.newBuilder(assess)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", attempt)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        try {
            HttpResponse<String> response = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            String verdict = find(VERDICT, response.body());
            // Keycloak mails a new user to confirm the address, which may be a stranger's.
            if (response.statusCode() == 200 && MAIL_UNWANTED.matcher(response.body()).find())
                return new Answer("block", find(REFERENCE, response.body()));
            if (response.statusCode() == 200 && verdict != null)
                return new Answer(verdict, find(REFERENCE, response.body()));
            // Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
            if (response.statusCode() == 400 && FAULT_OF_EMAIL.matcher(response.body()).find())
                return new Answer("block", "none");
            LOG.warning("gatehouse: no verdict for a signup: status " + response.statusCode());
        } catch (Exception error) {
            if (error instanceof InterruptedException) Thread.currentThread().interrupt();
            LOG.warning("gatehouse: no verdict for a signup: " + error);
        }
        return new Answer("allow", "none");
    }

    private static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : null;
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray())
            if (letter == '"' || letter == '\\') quoted.append('\\').append(letter);
            else if (letter < ' ') quoted.append(String.format("\\u%04x", (int) letter));
            else quoted.append(letter);
        return quoted.append('"').toString();
    }
}
