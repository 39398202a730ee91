package gatehouse.keycloak;

import jakarta.ws.rs.core.MultivaluedMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.logging.Logger;
import org.keycloak.Config;
import org.keycloak.authentication.FormAction;
import org.keycloak.authentication.FormActionFactory;
import org.keycloak.authentication.FormContext;
import org.keycloak.authentication.ValidationContext;
import org.keycloak.events.Errors;
import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.models.utils.FormMessage;
import org.keycloak.provider.ProviderConfigProperty;

/** A step of Keycloak's registration flow: Gatehouse decides before the user is created. */
public final class GatehouseFormAction implements FormAction, FormActionFactory {
    private static final String CHALLENGE = "GATEHOUSE_CHALLENGE";
    private static final Logger LOG = Logger.getLogger(GatehouseFormAction.class.getName());

    /** Null where the settings are missing: an error here would keep Keycloak from starting. */
    private GatehouseClient gatehouse;

    @Override
    public void init(Config.Scope config) {
        try {
            gatehouse = new GatehouseClient(System.getenv("GATEHOUSE_URL"), System.getenv("GATEHOUSE_KEY"));
        } catch (IllegalArgumentException error) {
            LOG.severe("gatehouse: no verdict for a signup until this is set: " + error.getMessage());
        }
    }

    @Override
    public void validate(ValidationContext context) {
        MultivaluedMap<String, String> form = context.getHttpRequest().getDecodedFormParameters();
        String email = form.getFirst("email");
        // Keycloak's own step says that the address is missing.
        if (gatehouse == null || email == null || email.isBlank()) {
            context.success();
            return;
        }
        String ip = context.getConnection().getRemoteAddr();
        String session = context.getAuthenticationSession().getParentSession().getId();
        String attempt = session + context.getAuthenticationSession().getTabId() + email + ip;
        String id = UUID.nameUUIDFromBytes(attempt.getBytes(StandardCharsets.UTF_8)).toString();
        GatehouseClient.Answer answer = gatehouse.assess(email, ip, id);
        String text = switch (answer.verdict()) {
            case "block" -> "We cannot create this account. Reference: " + answer.reference();
            case "invalid" -> "Please check your email address.";
            default -> null;
        };
        if (text != null) {
            context.error(Errors.INVALID_REGISTRATION);
            context.validationError(form, List.of(new FormMessage("email", text)));
            return;
        }
        context.getAuthenticationSession().setAuthNote(CHALLENGE, String.valueOf(answer.verdict().equals("challenge")));
        context.success();
    }

    @Override
    public void success(FormContext context) {
        // A challenged user must confirm the address before anything else.
        if ("true".equals(context.getAuthenticationSession().getAuthNote(CHALLENGE)))
            context.getUser().addRequiredAction(UserModel.RequiredAction.VERIFY_EMAIL);
    }

    @Override
    public FormAction create(KeycloakSession session) {
        return this;
    }

    @Override
    public String getId() {
        return "gatehouse";
    }

    @Override
    public String getDisplayType() {
        return "Gatehouse";
    }

    @Override
    public String getHelpText() {
        return "Asks Gatehouse whether to allow, challenge or block this signup.";
    }

    @Override
    public String getReferenceCategory() {
        return null;
    }

    @Override
    public Requirement[] getRequirementChoices() {
        return new Requirement[] {Requirement.REQUIRED, Requirement.DISABLED};
    }

    @Override
    public List<ProviderConfigProperty> getConfigProperties() {
        return List.of();
    }

    @Override
    public boolean isConfigurable() {
        return false;
    }

    @Override
    public boolean isUserSetupAllowed() {
        return false;
    }

    @Override
    public boolean requiresUser() {
        return false;
    }

    @Override
    public boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user) {
        return true;
    }

    @Override
    public void buildPage(FormContext context, LoginFormsProvider form) {}

    @Override
    public void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user) {}

    @Override
    public void postInit(KeycloakSessionFactory factory) {}

    @Override
    public void close() {}
}
