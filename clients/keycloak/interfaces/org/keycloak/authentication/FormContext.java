package org.keycloak.authentication;

public interface FormContext {
    org.keycloak.http.HttpRequest getHttpRequest();

    org.keycloak.common.ClientConnection getConnection();

    org.keycloak.sessions.AuthenticationSessionModel getAuthenticationSession();

    org.keycloak.models.UserModel getUser();
}
