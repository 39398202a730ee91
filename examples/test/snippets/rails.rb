# Sends signups to a real controller of Rails, behind a proxy that Rails knows.
require "action_controller"
require "active_support/all"
require "json"
require "logger"
require "rack/mock"

module Rails
  def self.logger
    @logger ||= Logger.new($stderr)
  end
end
ApplicationController = Class.new(ActionController::Base)
%w[protect_signup registrations_controller].each { |file| require File.expand_path(file, ARGV[0]) }

APP = ActionDispatch::RemoteIp.new(RegistrationsController.action(:create))

def sign_up(email, ip, password)
  answer = Rack::MockRequest.new(APP).post(
    "/users",
    :params => { user: { email: email, password: password || "correct horse battery" }, authenticity_token: SecureRandom.base64 },
    "REMOTE_ADDR" => "10.0.0.1",
    "HTTP_X_FORWARDED_FOR" => "198.51.100.1, #{ip}"
  )
  return { denied: answer.body, marked: false } if answer.status == 422
  raise answer.body unless answer.status == 201

  { denied: nil, marked: JSON.parse(answer.body)["confirm"] }
end

$stdout.sync = true
$stdin.each_line { |line| puts "outcome #{JSON.generate(sign_up(*JSON.parse(line).values_at("email", "ip", "password")))}" }
