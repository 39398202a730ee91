# frozen_string_literal: true

# Protects signup forms of Rails: `gem "gatehouse-client", require: "gatehouse/rails"`. The settings are in `config.gatehouse`.

require "rails/railtie"
require_relative "../gatehouse"
require_relative "rails/settings"
require_relative "rails/protect_signup"
require_relative "rails/railtie"

module Gatehouse
  # An application may have no mailer.
  autoload :ConfirmationMailer, File.expand_path("rails/confirmation_mailer", __dir__)
end
