# frozen_string_literal: true

module Gatehouse
  module Rails
    # Gives applications `config.gatehouse`, and says at the start what is wrong with it.
    class Railtie < ::Rails::Railtie
      config.gatehouse = Settings.new

      # A code in a log would let its readers confirm an address.
      initializer "gatehouse.filter_parameters" do |app|
        app.config.filter_parameters += [:gatehouse_code]
      end

      config.after_initialize do |app|
        app.config.gatehouse.client
        app.config.gatehouse.captcha_element
        app.config.gatehouse.check_name
      rescue OptionsError => error
        ::Rails.logger.error("gatehouse: every signup is let in until the settings are mended: #{error.message}")
      end
    end
  end
end
