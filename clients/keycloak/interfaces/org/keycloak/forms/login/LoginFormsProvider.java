package org.keycloak.forms.login;

public interface LoginFormsProvider {}
