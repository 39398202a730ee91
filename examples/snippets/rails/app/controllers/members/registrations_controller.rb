module Members
  class RegistrationsController < Devise::RegistrationsController
    include Gatehouse::ProtectSignup

    before_action :protect_signup, only: :create

    private

    # Devise refuses a form that is not valid itself.
    def protect_signup
      build_resource(sign_up_params)
      return if !resource.valid? || signup_allowed?(resource)

      clean_up_passwords(resource)
      respond_with(resource)
    end

    def after_sign_up_path_for(_member)
      "/welcome"
    end
  end
end
