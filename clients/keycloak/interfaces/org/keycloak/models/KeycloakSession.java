package org.keycloak.models;

public interface KeycloakSession {}
