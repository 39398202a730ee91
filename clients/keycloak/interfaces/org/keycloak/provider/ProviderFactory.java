package org.keycloak.provider;

import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;

public interface ProviderFactory<T extends Provider> {
    T create(KeycloakSession session);

    void init(Config.Scope config);

    void postInit(KeycloakSessionFactory factory);

    void close();

    String getId();
}
