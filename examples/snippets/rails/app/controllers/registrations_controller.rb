class RegistrationsController < ApplicationController
  include Gatehouse::ProtectSignup

  def new
    @user = User.new
  end

  def create
    @user = User.new(params.require(:user).permit(:email, :password))
    # Your own validation comes first: a form that it refuses is not assessed.
    if @user.valid? && signup_allowed?(@user) && @user.save
      redirect_to "/welcome"
    else
      render :new, status: :unprocessable_entity
    end
  end

  def welcome
    render plain: "Welcome."
  end
end
