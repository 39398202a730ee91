package org.keycloak.models.utils;

public class FormMessage {
    private final String message;

    public FormMessage(String field, String message) {
        this.message = message;
    }

    public String getMessage() {
        return message;
    }
}
