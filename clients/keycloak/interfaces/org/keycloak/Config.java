package org.keycloak;

public class Config {
    public interface Scope {}
}
