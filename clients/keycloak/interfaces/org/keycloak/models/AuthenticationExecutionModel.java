package org.keycloak.models;

public class AuthenticationExecutionModel {
    public enum Requirement {
        REQUIRED,
        DISABLED
    }
}
