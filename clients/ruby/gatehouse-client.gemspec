# frozen_string_literal: true

require_relative "lib/gatehouse/version"

Gem::Specification.new do |spec|
  spec.name = "gatehouse-client"
  spec.version = Gatehouse::VERSION
  spec.summary = "Client of Gatehouse, the self-hosted signup risk service: protects a signup form."
  spec.authors = ["Gatehouse contributors"]
  spec.license = "Apache-2.0"
  spec.required_ruby_version = ">= 3.1"
  spec.files = Dir["lib/**/*.rb", "README.md", "LICENSE", base: __dir__]
  spec.metadata["rubygems_mfa_required"] = "true"
end
