require "json"
require "net/http"
require "timeout"

# allow, challenge or block; invalid: ask for another address.
def decide(email, ip)
  raise "no email: is the body parsed?" unless email.is_a?(String)

  uri = URI("#{ENV["GATEHOUSE_URL"]}/v1/assess")
  headers = { "Authorization" => "Bearer #{ENV["GATEHOUSE_KEY"]}", "Content-Type" => "application/json" }
  body = JSON.generate({ email: email.scrub, ip: ip })
  response = Timeout.timeout(3) { Net::HTTP.post(uri, body, headers) }
  status = response.code.to_i
  answer = JSON.parse(response.body)
  return answer["verdict"] if status == 200 && %w[allow challenge block].include?(answer["verdict"])
  return "invalid" if status == 413 || (status == 400 && answer["error"]["param"] == "email")

  raise "status #{status}"
rescue StandardError => failure
  # The failure rule: let in, and log.
  warn "gatehouse: no verdict for a signup: #{failure.message}"
  "allow"
end

puts decide(ARGV[0], ARGV[1])
