package org.keycloak.authentication;

import org.keycloak.forms.login.LoginFormsProvider;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.provider.Provider;

public interface FormAction extends Provider {
    void buildPage(FormContext context, LoginFormsProvider form);

    void validate(ValidationContext context);

    void success(FormContext context);

    boolean requiresUser();

    boolean configuredFor(KeycloakSession session, RealmModel realm, UserModel user);

    void setRequiredActions(KeycloakSession session, RealmModel realm, UserModel user);
}
