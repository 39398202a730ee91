package org.keycloak.common;

public interface ClientConnection {
    String getRemoteAddr();
}
