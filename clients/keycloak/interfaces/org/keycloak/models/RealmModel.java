package org.keycloak.models;

public interface RealmModel {}
