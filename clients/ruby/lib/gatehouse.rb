# frozen_string_literal: true

# Protects a signup form with Gatehouse, the self-hosted signup risk service.
module Gatehouse
end

require_relative "gatehouse/version"
require_relative "gatehouse/errors"
require_relative "gatehouse/answer_meta"
require_relative "gatehouse/read"
require_relative "gatehouse/models"
require_relative "gatehouse/circuit_breaker"
require_relative "gatehouse/ip_address"
require_relative "gatehouse/forwarded"
require_relative "gatehouse/request_view"
require_relative "gatehouse/client_ip"
require_relative "gatehouse/caller"
require_relative "gatehouse/protection"
require_relative "gatehouse/form"
require_relative "gatehouse/client"
