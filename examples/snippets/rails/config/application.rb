# A small application with two signup forms, protected by Gatehouse: its own, and that of Devise where it is installed.
require "logger"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "action_view/railtie"
require "action_mailer/railtie"
require "gatehouse/rails"
begin
  require "devise"
rescue LoadError
  # Without it, the application has its own form alone.
end

class Shop < Rails::Application
  config.root = File.expand_path("..", __dir__)
  config.load_defaults Rails::VERSION::STRING.to_f
  config.eager_load = true
  config.secret_key_base = ENV.fetch("SECRET_KEY_BASE", "only for this example")
  config.hosts.clear
  $stdout.sync = true
  config.logger = Logger.new($stdout)
  config.log_level = :info
  config.filter_parameters += [:password]
  config.action_mailer.smtp_settings = { address: "127.0.0.1", port: ENV.fetch("SMTP_PORT", "25").to_i }

  config.gatehouse.url = ENV["GATEHOUSE_URL"]
  config.gatehouse.key = ENV["GATEHOUSE_KEY"]
  config.gatehouse.mail_from = "shop@example.com"

  config.gatehouse.timeout_ms = ENV.fetch("GATEHOUSE_TIMEOUT_MS", "3000").to_i
  unless defined?(Devise)
    Rails.autoloaders.main.ignore("#{root}/app/controllers/members", "#{root}/app/models/member.rb")
  end
  config.gatehouse.captcha = { turnstile: ENV["CAPTCHA_SITE_KEY"] } if ENV["CAPTCHA_SITE_KEY"]
end

database = File.join(ENV.fetch("DATA_FOLDER", "."), "shop.sqlite3")
ENV["DATABASE_URL"] ||= "sqlite3:#{database}"
Rails.application.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:users, if_not_exists: true) do |table|
    table.string :email, null: false, index: { unique: true }
    table.string :password_digest, null: false
  end
  create_table(:members, if_not_exists: true) do |table|
    table.string :email, null: false, index: { unique: true }
    table.string :encrypted_password, null: false
  end
end
