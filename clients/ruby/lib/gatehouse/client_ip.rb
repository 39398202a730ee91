# frozen_string_literal: true

module Gatehouse
  # Finds the address that a request came from, only in text that trusted proxies wrote, never in text that the client could have written.
  class ClientIp
    NAMED_RANGES = {
      "loopback" => ["127.0.0.0/8", "::1"],
      "private" => [
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
        "::1", "fc00::/7", "fe80::/10"
      ]
    }.freeze
    # Name of a proxy => the header that it overwrites.
    HEADER_OF = {
      "cloudflare" => "cf-connecting-ip",
      "vercel" => "x-vercel-forwarded-for",
      "fly" => "fly-client-ip",
      "aws-cloudfront" => "cloudfront-viewer-address",
      "nginx" => "x-real-ip"
    }.freeze
    APPENDED_HEADERS = %w[x-forwarded-for forwarded].freeze
    HEADER_NAME = /\A[!#$%&'*+.^`|~\w-]+\z/

    # @param view [RequestView]
    # @param warn [#call] takes a hint about the set-up
    def initialize(view, peer, warn)
      @view = view
      @peer = IpAddress.parse(peer || view.peer)
      @warn = warn
    end

    # @return [IpAddress, nil]
    # @raise [OptionsError]
    def find(trusted)
      return @peer&.without_nat64 if trusted.nil?

      found = find_trusted(trusted)
      address = found&.without_nat64
      if address.nil?
        @warn.call("trusted_proxies is set, but no trusted proxy named the visitor's address: signups are assessed without it")
      elsif address.pseudo_ipv4? && !found.equal?(@peer)
        return find_ipv6_twin || address
      end
      address
    end

    private

    # The visitor's real address behind Cloudflare's made-up one.
    def find_ipv6_twin
      twin = agreed(@view.header("cf-connecting-ipv6"))
      return twin if twin&.ipv6?

      @warn.call('Cloudflare sent a made-up IPv4 address without CF-Connecting-IPv6: turn "Pseudo IPv4" off at Cloudflare')
      nil
    end

    def find_trusted(trusted)
      return find_in_header(trusted) if trusted.is_a?(Hash)
      return past(trusted, appended) unless trusted.is_a?(String) || trusted.is_a?(Symbol)

      name = trusted.to_s
      return past(1, appended) if name == "aws-alb"
      raise unknown("#{name.inspect} is not known.") unless HEADER_OF.key?(name)

      value = @view.header(HEADER_OF[name])
      # CloudFront writes a port, also after an IPv6 address without brackets.
      value = value&.gsub(/:[0-9]{1,5}(?=\s*(?:,|\z))/, "") if name == "aws-cloudfront"
      agreed(value)
    end

    def find_in_header(trusted)
      options = trusted.transform_keys(&:to_s)
      name = read_name(options["header"])
      if options["proxies"]
        raise unknown("proxies append to X-Forwarded-For or Forwarded.") unless APPENDED_HEADERS.include?(name)

        return past(options["proxies"], split(name))
      end
      # Several proxies append to this one: the nearest wrote the last element.
      name == "forwarded" ? past(1, split(name)) : agreed(@view.header(name))
    end

    # The address before the trusted proxies. @param forwarded what they appended, the nearest one last
    def past(trusted, forwarded)
      if trusted.is_a?(Integer) && trusted >= 0
        return @peer if trusted.zero?

        return trusted > forwarded.size ? nil : IpAddress.parse(forwarded[-trusted])
      end
      raise unknown("#{trusted.inspect} is not known.") unless trusted.is_a?(Array)

      ranges = read_ranges(trusted)
      forwarded.reverse.reduce(@peer) do |nearest, text|
        break nearest if nearest.nil? || ranges.none? { |range| range.include?(nearest) }

        IpAddress.parse(text)
      end
    end

    # The address in a header that a proxy overwrites; nil where it came several times and differs.
    def agreed(value)
      texts = value.to_s.split(",").map { |text| Forwarded.unquote(text) }.reject(&:empty?)
      addresses = texts.map { |text| IpAddress.parse(text) }
      addresses.all? { |address| address == addresses[0] } ? addresses[0] : nil
    end

    # X-Forwarded-For, which nearly all proxies write; Forwarded only where it is absent or empty.
    def appended
      APPENDED_HEADERS.each do |name|
        hops = split(name)
        return hops unless hops.empty?
      end
      []
    end

    def split(name)
      value = @view.header(name).to_s
      name == "forwarded" ? Forwarded.split_forwarded(value) : Forwarded.split_forwarded_for(value)
    end

    def read_name(header)
      raise unknown("the name of a header.") unless header.is_a?(String) && HEADER_NAME.match?(header)

      header.downcase
    end

    def read_ranges(names)
      names.flat_map { |name| NAMED_RANGES[name.to_s] || [name] }.map do |text|
        IpRange.parse(text) || raise(unknown("#{text.inspect} is not an address, CIDR block or name."))
      end
    end

    def unknown(what)
      OptionsError.new("invalid_options", "trusted_proxies: #{what}")
    end
  end
  private_constant :ClientIp

  # Finds the IP of the visitor, in canonical form; nil where no trusted party names it.
  # @param request a request of Rails or Rack, a Rack environment, or headers
  # @param trusted_proxies [String, Integer, Array, Hash, nil]
  # @param peer [String, nil] the connection's address, where the request does not know it
  # @raise [OptionsError]
  def self.client_ip(request, trusted_proxies: nil, peer: nil)
    ClientIp.new(RequestView.new(request), peer, method(:warn_once)).find(trusted_proxies)&.to_s
  end

  @said = {}

  # Says something about the set-up, once in a process.
  def self.warn_once(text)
    return if @said[text]

    @said[text] = true
    Kernel.warn("gatehouse: #{text}")
  end
  private_class_method :warn_once
end
