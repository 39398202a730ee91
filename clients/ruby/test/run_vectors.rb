# frozen_string_literal: true

# Runs the vectors of vectors.jsonl with the Ruby client: run_vectors.rb VECTORS ENVIRONMENT, one line of results for each.

require "json"
require_relative "../lib/gatehouse"

# Names of options that the vectors and the client share.
OPTIONS = %w[max_retries trusted_proxies on_failure mode].freeze

def run_vector(vector, index, environment)
  options = vector["client"] || {}
  reported = []
  client = begin
    create_client(options, index, environment, reported)
  rescue Gatehouse::Error => error
    return [{ error: describe_error(error) }]
  end
  vector["steps"].each_with_object([]) do |step, results|
    reported.clear
    result = run_times(client, step, results, options)
    result["reported"] = reported.dup if %w[protect_signup protect_form].include?(step["call"])
    # As the other runners see it: plain JSON.
    results << JSON.parse(JSON.generate(result))
  end
end

def create_client(options, index, environment, reported)
  url = options["url"]
  settings = OPTIONS.to_h { |name| [name.to_sym, options[name]] }.compact
  settings[:timeout_ms] = options.fetch("timeout_ms", 60_000)
  breaker = options["breaker"]
  settings[:breaker] = breaker.is_a?(Hash) ? breaker.transform_keys(&:to_sym) : breaker
  Gatehouse::Client.new(
    url: url.nil? ? "#{environment["base_url"]}/#{index}#{options["path"]}" : environment["urls"][url],
    key: environment["keys"][options["key"] || "live"],
    on_error: ->(error) { reported << error.code },
    **settings.compact
  )
end

def run_times(client, step, results, options)
  result = {}
  (step["times"] || 1).times do
    started_at = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond)
    result = begin
      run_step(client, step, resolve(step["input"] || {}, results), options)
    rescue Gatehouse::Error => error
      { "error" => describe_error(error) }
    end
    result["elapsed_ms"] = Process.clock_gettime(Process::CLOCK_MONOTONIC, :float_millisecond) - started_at
    break if step["until"] == "error" && result["error"]
  end
  result
end

def run_step(client, step, input, options)
  headers = step.dig("request", "headers") || []
  peer = step.dig("request", "peer")
  named = input.transform_keys(&:to_sym)
  case step["call"]
  when "wait"
    sleep(input["ms"] / 1000.0)
    {}
  when "client_ip"
    { "ip" => Gatehouse.client_ip(headers, trusted_proxies: options["trusted_proxies"], peer: peer) }
  when "protect_signup"
    email = named.delete(:email)
    describe_decision(client.protect_signup(headers, email, peer: peer, **named))
  when "protect_form"
    email = named.delete(:email)
    describe_form(client.protect_form(headers, email, peer: peer, **named))
  when "get_assessment"
    describe_answer(client.get_assessment(named[:request_id]))
  else
    describe_answer(client.public_send(step["call"], **named))
  end
end

def describe_decision(decision)
  described = {
    "decision" => decision.decision,
    "failed_open" => decision.failed_open,
    "mail_unwanted" => decision.mail_unwanted,
    "ip" => decision.ip,
    "error" => decision.error&.code
  }
  described.merge(decision.assessment.nil? ? { "answer" => nil } : describe_answer(decision.assessment))
end

def describe_form(form)
  mail = form.mail && { link: form.mail.link, code: form.mail.code }
  form.to_h.except(:signup).merge(mail: mail, signup: form.signup&.decision)
end

def describe_answer(answer)
  meta = answer.meta
  described = {
    "answer" => answer.raw,
    "meta" => meta.to_h.merge(rate_limit: meta.rate_limit&.to_h, quota: meta.quota&.to_h)
  }
  return described unless answer.is_a?(Gatehouse::Assessment)

  described.merge(
    "model" => {
      verdict: answer.verdict,
      score: answer.score,
      session_id: answer.session_id,
      first_reason: answer.reasons.first&.code,
      domain: answer.signals.email.domain,
      ip: answer.signals.ip&.address,
      has_challenge: !answer.challenge.nil?,
      has_shadow_verdict: !answer.shadow_verdict.nil?
    }
  )
end

def describe_error(error)
  kind = error.class.name.delete_prefix("Gatehouse::").delete_suffix("Error").gsub(/(?<!^)[A-Z]/, '_\0').downcase
  {
    kind: kind, code: error.code, message: error.message, status: error.status, param: error.param,
    resolution: error.resolution, retry_after_ms: error.retry_after_ms, quota: error.quota&.to_h, tries: error.tries
  }
end

# Replaces "$0.answer.request_id" by that member of the result of step 0.
def resolve(value, results)
  case value
  when /\A\$/
    index, *path = value[1..].split(".")
    path.reduce(results[index.to_i]) { |at, name| at[name] }
  when Array then value.map { |each| resolve(each, results) }
  when ->(each) { each.is_a?(Hash) && each.key?("$repeat") } then value["$repeat"].first * value["$repeat"].last
  when Hash then value.transform_values { |each| resolve(each, results) }
  else value
  end
end

vectors, environment_file = ARGV
environment = JSON.parse(File.read(environment_file, encoding: "UTF-8"))
File.foreach(vectors, encoding: "UTF-8").with_index do |line, index|
  puts JSON.generate(index: index, results: run_vector(JSON.parse(line), index, environment))
  $stdout.flush
end
