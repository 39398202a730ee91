if defined?(Devise)
  Devise.setup do |config|
    require "devise/orm/active_record"
    config.secret_key = Rails.application.secret_key_base
    config.password_length = 12..128
  end
end
