package org.keycloak.authentication;

public interface ValidationContext extends FormContext {
    void validationError(
        jakarta.ws.rs.core.MultivaluedMap<String, String> form, java.util.List<org.keycloak.models.utils.FormMessage> errors);

    void error(String error);

    void success();
}
