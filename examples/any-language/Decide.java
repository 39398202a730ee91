import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

public class Decide {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    // Java brings no reader of JSON: if you have one, use it.
    private static final Pattern VERDICT = Pattern.compile("\"verdict\"\\s*:\\s*\"(allow|challenge|block)\"");
    private static final Pattern BAD_EMAIL = Pattern.compile("\"param\"\\s*:\\s*\"email\"");

    /** allow, challenge or block; invalid: ask for another address. */
    static String decide(String email, String ip) {
        try {
            var request = HttpRequest.newBuilder(URI.create(System.getenv("GATEHOUSE_URL") + "/v1/assess"))
                    .header("Authorization", "Bearer " + System.getenv("GATEHOUSE_KEY"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"email\":" + quote(email) + ",\"ip\":" + quote(ip) + "}"))
                    .build();
            var response = CLIENT.sendAsync(request, BodyHandlers.ofString()).get(3, TimeUnit.SECONDS);
            var verdict = VERDICT.matcher(response.body());
            if (response.statusCode() == 200 && verdict.find()) return verdict.group(1);
            boolean isBadEmail = response.statusCode() == 400 && BAD_EMAIL.matcher(response.body()).find();
            if (response.statusCode() == 413 || isBadEmail) return "invalid";
            throw new IllegalStateException("status " + response.statusCode());
        } catch (Exception failure) { // the failure rule: let in, and log
            System.err.println("gatehouse: no verdict for a signup: " + failure);
            return "allow";
        }
    }

    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) quoted.append(String.format("\\u%04x", (int) c));
        return quoted.append('"').toString();
    }

    public static void main(String[] args) {
        System.out.println(decide(args[0], args[1]));
        System.exit(0); // ends a call that is still open
    }
}
