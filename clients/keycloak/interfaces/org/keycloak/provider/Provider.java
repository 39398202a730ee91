package org.keycloak.provider;

public interface Provider {
    void close();
}
