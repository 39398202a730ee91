package org.keycloak.authentication;

import org.keycloak.provider.ProviderFactory;

public interface FormActionFactory extends ProviderFactory<FormAction>, ConfigurableAuthenticatorFactory {}
