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
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/** Asks Gatehouse about a signup. Java 17 and Jackson, which Keycloak brings. */
public final class GatehouseClient {
    /** Verdict of the service; "invalid" for a text that is no address, "allow" without a verdict: both without a reference. */
    public record Answer(String verdict, String reference) {}

    private static final long TIMEOUT_SECONDS = 3;
    private static final Set<String> VERDICTS = Set.of("allow", "challenge", "block");
    private static final Logger LOG = Logger.getLogger(GatehouseClient.class.getName());

    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(TIMEOUT_SECONDS)).build();
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
        ObjectNode body = json.createObjectNode().put("email", email);
        if (ip != null) body.put("ip", ip);
        HttpRequest request = HttpRequest.newBuilder(assess)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", attempt)
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
        try {
            HttpResponse<String> response = http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
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

    /** @return null where the answer has no verdict */
    private static Answer read(int status, JsonNode body) {
        // Otherwise somebody could choose an address that Gatehouse cannot read, to be let in.
        if (status == 400 && "email".equals(body.path("error").path("param").textValue()))
            return new Answer("invalid", null);
        String verdict = body.path("verdict").textValue();
        if (status != 200 || verdict == null || !VERDICTS.contains(verdict)) return null;
        String reference = body.path("request_id").textValue();
        // Keycloak mails a new user to confirm the address, which may be a stranger's.
        if (body.path("signals").path("email").path("mail_unwanted").asBoolean(false))
            return new Answer("block", reference);
        return new Answer(verdict, reference);
    }
}
