# frozen_string_literal: true

require "cgi"
require_relative "proof_script"

module Gatehouse
  # Writes the part of a form in which the visitor's browser does a proof of work.
  module ProofField
    # Field of a form with the solved proof of work.
    NAME = "gatehouse_proof"
    # Texts that the visitor reads, by name. %{reference}: for your support.
    TEXTS = {
      working: "Your browser is calculating. This can take some seconds.",
      ready: "Your browser is ready. Please send the form again.",
      insecure: "This check needs a secure connection: the address of this page must begin with https.",
      no_script: "This form needs JavaScript for a short check. Turn it on and load the page again, or write to us. " \
                 "Reference: %{reference}"
    }.freeze

    # @param proof [String] of the decision
    # @param reference [String] of the decision
    # @param nonce [String, nil] of your content policy, where it allows inline scripts by nonces
    # @param texts [Hash] yours, with all names of TEXTS
    # @return [String] HTML that goes inside the form: a hidden field, and a script that fills it
    def self.html(proof, reference, nonce: nil, texts: TEXTS)
      said = texts.slice(*TEXTS.keys).transform_values { |text| CGI.escapeHTML(text.gsub("%{reference}", reference)) }
      allowed = nonce.to_s.empty? ? "" : %( nonce="#{CGI.escapeHTML(nonce)}")
      %(<div data-gatehouse-proof="#{CGI.escapeHTML(proof)}" data-working="#{said[:working]}" data-ready="#{said[:ready]}") +
        %( data-insecure="#{said[:insecure]}"><p role="status"></p><noscript><p>#{said[:no_script]}</p></noscript>) +
        %(<input type="hidden" name="#{NAME}" value=""></div><script#{allowed}>#{PROOF_SCRIPT}</script>)
    end
  end
end
