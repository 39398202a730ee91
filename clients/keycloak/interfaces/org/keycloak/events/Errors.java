package org.keycloak.events;

public interface Errors {
    String INVALID_REGISTRATION = "invalid_registration";
}
