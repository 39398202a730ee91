package org.keycloak.http;

public interface HttpRequest {
    jakarta.ws.rs.core.MultivaluedMap<String, String> getDecodedFormParameters();
}
