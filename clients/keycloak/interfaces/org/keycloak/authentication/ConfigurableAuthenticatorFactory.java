package org.keycloak.authentication;

import org.keycloak.models.AuthenticationExecutionModel.Requirement;
import org.keycloak.provider.ConfiguredProvider;

public interface ConfigurableAuthenticatorFactory extends ConfiguredProvider {
    String getDisplayType();

    String getReferenceCategory();

    boolean isConfigurable();

    Requirement[] getRequirementChoices();

    boolean isUserSetupAllowed();
}
