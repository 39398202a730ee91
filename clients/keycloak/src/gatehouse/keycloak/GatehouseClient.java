package gatehouse.keycloak;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/** Asks Gatehouse about a signup. Java 17 and Jackson, which Keycloak brings. */
public final class GatehouseClient {
    /** Verdict of the service; "invalid" for a text that is no address, "allow" without a verdict: both without a reference. */
    public record Answer(String verdict, String reference) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** Longer than any address can be: a request that is too large has no answer, and its sender must not be let in by that. */
    private static final int MAX_EMAIL_CHARACTERS = 1000;
    private static final Answer INVALID = new Answer("invalid", null);
    private static final Set<String> VERDICTS = Set.of("allow", "challenge", "block");
    private static final Logger LOG = Logger.getLogger(GatehouseClient.class.getName());

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final ObjectMapper json = new ObjectMapper();
    private final URI assess;
    private final String key;

    /** @throws IllegalArgumentException for settings that cannot be used, without the key in its message */
    public GatehouseClient(String url, String key) {
        if (url == null || !url.matches("https?://.+"))
            throw new IllegalArgumentException("GATEHOUSE_URL must begin with http:// or https://");
        if (key == null || !key.matches("[\\x21-\\x7e]+"))
            throw new IllegalArgumentException("GATEHOUSE_KEY must be an API key");
        this.assess = URI.create(url.replaceAll("/+$", "") + "/v1/assess");
        this.key = key;
    }

    /** @param attempt your own id of this attempt: a form that is sent twice is assessed once */
    public Answer assess(String email, String ip, String attempt) {
        if (email.length() > MAX_EMAIL_CHARACTERS) return INVALID;
        long endsAt = System.nanoTime() + TIMEOUT.toNanos();
        try {
            HttpResponse<String> response = send(email, ip, attempt, endsAt);
            if (ip != null && blames(response.statusCode(), json.readTree(response.body()), "ip")) {
                LOG.warning("gatehouse: a signup is assessed without its IP, which is no address: check the proxies of Keycloak");
                response = send(email, null, attempt + "-without-ip", endsAt);
            }
            Answer answer = read(response.statusCode(), json.readTree(response.body()));
            if (answer != null) return answer;
            LOG.warning("gatehouse: no verdict for a signup: status " + response.statusCode());
        } catch (JsonProcessingException error) {
            // The text of the error has a part of the answer.
            LOG.warning("gatehouse: no verdict for a signup: the answer is no JSON");
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            LOG.warning("gatehouse: no verdict for a signup: " + error);
        } catch (Exception error) {
            LOG.warning("gatehouse: no verdict for a signup: " + error);
        }
        return new Answer("allow", null);
    }

    /** @param endsAt time of {@link System#nanoTime} */
    private HttpResponse<String> send(String email, String ip, String attempt, long endsAt) throws Exception {
        ObjectNode body = json.createObjectNode().put("email", email);
        if (ip != null) body.put("ip", ip);
        Duration remaining = Duration.ofNanos(Math.max(1, endsAt - System.nanoTime()));
        HttpRequest request = HttpRequest.newBuilder(assess)
            .timeout(remaining)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", attempt)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
        CompletableFuture<HttpResponse<String>> answer = http.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return answer.get(remaining.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            // Otherwise an answer that never ends would keep its connection. After an answer it does nothing.
            answer.cancel(true);
        }
    }

    private static boolean blames(int status, JsonNode body, String param) {
        return status == 400 && param.equals(body.path("error").path("param").textValue());
    }

    /** @return null where the answer has no verdict */
    private static Answer read(int status, JsonNode body) {
        // Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
        if (status == 413 || blames(status, body, "email")) return INVALID;
        String verdict = body.path("verdict").textValue();
        if (status != 200 || verdict == null || !VERDICTS.contains(verdict)) return null;
        String reference = body.path("request_id").textValue();
        // Keycloak mails a new user to confirm the address, which may be a stranger's.
        if (body.path("signals").path("email").path("mail_unwanted").asBoolean(false))
            return new Answer("block", reference);
        return new Answer(verdict, reference);
    }
}
