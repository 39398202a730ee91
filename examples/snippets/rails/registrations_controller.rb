class RegistrationsController < ApplicationController
  include ProtectSignup
  protect_signup(only: :create) { params.dig(:user, :email) }

  def create
    # Create the account here. Before a challenged person may use it, ask for a confirmed address.
    render json: { confirm: gatehouse_verdict == "challenge" }, status: :created
  end
end
