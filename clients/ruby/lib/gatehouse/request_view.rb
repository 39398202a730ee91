# frozen_string_literal: true

module Gatehouse
  # Reads headers and the connection's peer from any kind of request: Rack, Rails, Sinatra, or headers by name.
  class RequestView
    attr_reader :peer

    # @param request [#env, Hash, Array, nil] a request of Rails or Rack, a Rack environment, or headers: a Hash or pairs
    def initialize(request)
      source = request.respond_to?(:env) ? request.env : request
      @headers = Hash.new { |_headers, _name| [] }
      if source.is_a?(Hash) && (source.key?("REMOTE_ADDR") || source.key?("REQUEST_METHOD"))
        @peer = source["REMOTE_ADDR"]
        source.each { |name, value| add(name[5..].tr("_", "-"), value) if name.is_a?(String) && name.start_with?("HTTP_") }
      elsif source.respond_to?(:each)
        source.each { |name, value| add(name, value) }
      end
    end

    # Value of a header; several of one name are joined by commas. The name is in lower case.
    def header(name)
      values = @headers[name]
      values.empty? ? nil : values.join(", ")
    end

    private

    def add(name, value)
      texts = Array(value).grep(String).map { |text| text.dup.force_encoding(Encoding::UTF_8).scrub }
      @headers[name.to_s.downcase] += texts
    end
  end
  private_constant :RequestView
end
