package org.keycloak.provider;

public class ProviderConfigProperty {}
