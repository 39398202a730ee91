package org.keycloak.models;

public interface KeycloakSessionFactory {}
