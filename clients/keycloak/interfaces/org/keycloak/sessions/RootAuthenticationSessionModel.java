package org.keycloak.sessions;

public interface RootAuthenticationSessionModel {
    String getId();
}
