package org.keycloak.sessions;

public interface AuthenticationSessionModel {
    RootAuthenticationSessionModel getParentSession();

    String getTabId();

    String getAuthNote(String name);

    void setAuthNote(String name, String value);
}
