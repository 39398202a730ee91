package org.keycloak.models;

public interface UserModel {
    default void addRequiredAction(RequiredAction action) {
        addRequiredAction(action.name());
    }

    void addRequiredAction(String action);

    enum RequiredAction {
        VERIFY_EMAIL
    }
}
