/** Finds the provider in its jar as Keycloak does, and sends signups through it, with stand-ins for Keycloak's objects. */
import jakarta.ws.rs.core.MultivaluedMap;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keycloak.authentication.FormAction;
import org.keycloak.authentication.FormActionFactory;
import org.keycloak.authentication.FormContext;
import org.keycloak.authentication.ValidationContext;
import org.keycloak.common.ClientConnection;
import org.keycloak.http.HttpRequest;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.provider.ProviderFactory;
import org.keycloak.sessions.AuthenticationSessionModel;
import org.keycloak.sessions.RootAuthenticationSessionModel;

public class Harness {
    public static void main(String[] args) throws Exception {
        List<FormActionFactory> factories = new ArrayList<>();
        ServiceLoader.load(FormActionFactory.class).forEach(factories::add);
        if (factories.size() != 1) throw new IllegalStateException(factories.toString());
        // Keycloak knows it by this interface.
        ProviderFactory<?> factory = factories.get(0);
        factory.init(null);
        FormAction action = (FormAction) factory.create(null);
        Pattern line = Pattern.compile("\\{\"email\":\"(.*)\",\"ip\":\"(.*)\"\\}");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String text = input.readLine(); text != null; text = input.readLine()) {
            Matcher signup = line.matcher(text);
            if (!signup.matches()) throw new IllegalArgumentException(text);
            System.out.println("outcome " + signUp(action, signup.group(1), signup.group(2)));
        }
    }

    static String signUp(FormAction action, String email, String ip) {
        Map<String, String> notes = new HashMap<>();
        String[] denied = {null};
        boolean[] marked = {false};
        Class<?>[] kinds = {MultivaluedMap.class};
        Object form = play(kinds[0], Map.of("getFirst", (values) -> email));
        Object root = play(RootAuthenticationSessionModel.class, Map.of("getId", (values) -> "session" + System.nanoTime()));
        Object session = play(AuthenticationSessionModel.class, Map.of(
            "getParentSession", (values) -> root,
            "getTabId", (values) -> "tab",
            "getAuthNote", (values) -> notes.get(values[0]),
            "setAuthNote", (values) -> notes.put((String) values[0], (String) values[1])));
        Object request = play(HttpRequest.class, Map.of("getDecodedFormParameters", (values) -> form));
        Object connection = play(ClientConnection.class, Map.of("getRemoteAddr", (values) -> ip));
        Object user = play(UserModel.class, Map.of("addRequiredAction", (values) -> marked[0] = values[0] == UserModel.RequiredAction.VERIFY_EMAIL));
        boolean[] passed = {false};
        Object context = play(ValidationContext.class, Map.of(
            "getHttpRequest", (values) -> request,
            "getConnection", (values) -> connection,
            "getAuthenticationSession", (values) -> session,
            "getUser", (values) -> user,
            "error", (values) -> null,
            "success", (values) -> passed[0] = true,
            "validationError", (values) -> denied[0] = ((FormMessage) ((List<?>) values[1]).get(0)).getMessage()));
        action.validate((ValidationContext) context);
        if (passed[0]) action.success((FormContext) context);
        if (passed[0] == (denied[0] != null)) throw new IllegalStateException("neither or both");
        return "{\"denied\":" + (denied[0] == null ? "null" : '"' + denied[0] + '"') + ",\"marked\":" + marked[0] + "}";
    }

    /** A stand-in for a Keycloak object that has only these methods. */
    static Object play(Class<?> kind, Map<String, Function<Object[], Object>> methods) {
        return Proxy.newProxyInstance(Harness.class.getClassLoader(), new Class<?>[] {kind}, (self, method, values) -> {
            Object result = methods.get(method.getName()).apply(values);
            return method.getReturnType() == void.class ? null : result;
        });
    }
}
