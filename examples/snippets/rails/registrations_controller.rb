class RegistrationsController < ApplicationController
  include ProtectSignup
  # Your own validation comes first: a form that it refuses is not assessed.
  protect_signup(only: :create, if: :valid_form?) { params.dig(:user, :email) }

  def create
    return render(plain: "Please check the form.", status: :unprocessable_entity) unless valid_form?

    # Create the account here. Before a challenged person may use it, ask for a confirmed address.
    render json: { confirm: gatehouse_verdict == "challenge" }, status: :created
  end

  private

  # With a model: User.new(user_params).valid?
  def valid_form?
    password = params.dig(:user, :password)
    params.dig(:user, :email).present? && (password.nil? || password.to_s.length >= 12)
  end
end
