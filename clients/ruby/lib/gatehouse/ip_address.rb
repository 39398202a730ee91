# frozen_string_literal: true

module Gatehouse
  # An IP address in one canonical form, the same as in every other client.
  class IpAddress
    OCTET = /(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])/
    IPV4 = /\A#{OCTET}(?:\.#{OCTET}){3}\z/
    # `[2001:db8::1]:443` and `203.0.113.7:51234`, as some proxies write; RFC 7239 also allows `203.0.113.7:_hidden`.
    WITH_PORT = /\A(?:\[([^\]]*)\]|([0-9]+\.[0-9]+\.[0-9]+\.[0-9]+))(?::(?:[0-9]{1,5}|_[\w.-]+))?\z/
    IPV6 = /\A([0-9A-Fa-f:.]+)(?:%[\w.-]+)?\z/
    GROUP = /\A[0-9A-Fa-f]{1,4}\z/
    MAPPED_PREFIX = ([0] * 10 + [255, 255]).freeze
    # RFC 6052, and RFC 8215 with a /96 for each site.
    NAT64_PREFIXES = [[0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0x64, 0xff, 0x9b, 0, 1]].freeze

    # 4 or 16 numbers.
    attr_reader :bytes

    # Reads an address, with or without a port. IPv4 inside IPv6 (`::ffff:…`) is that IPv4 address.
    # @return [IpAddress, nil]
    def self.parse(text)
      return nil unless text.is_a?(String) && text.valid_encoding?

      address = text.strip
      port = WITH_PORT.match(address)
      address = port[1] || port[2] if port
      return new(address.split(".").map(&:to_i)) if IPV4.match?(address)

      found = IPV6.match(address)
      bytes = found && address.include?(":") ? parse_ipv6(found[1]) : nil
      return nil if bytes.nil?

      new(bytes[0, 12] == MAPPED_PREFIX ? bytes[12..] : bytes)
    end

    def self.parse_ipv6(text)
      head, tail, *rest = text.split("::", -1)
      return nil unless rest.empty?

      before = parse_groups(head, is_last: tail.nil?)
      after = tail.nil? ? [] : parse_groups(tail, is_last: true)
      return nil if before.nil? || after.nil?

      missing = 16 - before.size - after.size
      # `::` stands for one group of zeros or more.
      return nil if tail.nil? ? missing != 0 : missing < 2

      before + [0] * missing + after
    end
    private_class_method :parse_ipv6

    # An IPv4 address may be the last group.
    def self.parse_groups(text, is_last:)
      return [] if text.empty?

      groups = text.split(":", -1)
      last = is_last && IPV4.match?(groups.last) ? groups.pop.split(".").map(&:to_i) : []
      return nil unless groups.all? { |group| GROUP.match?(group) }

      groups.flat_map { |group| [group.hex >> 8, group.hex & 0xff] } + last
    end
    private_class_method :parse_groups

    def initialize(bytes)
      @bytes = bytes.freeze
      freeze
    end

    # An IPv4 address that NAT64 wrote into an IPv6 one is that IPv4 address.
    def without_nat64
      return self unless ipv6? && NAT64_PREFIXES.any? { |prefix| bytes[0, prefix.size] == prefix }

      IpAddress.new(bytes[12..])
    end

    def ipv6?
      bytes.size == 16
    end

    # Class E is nobody's: Cloudflare writes such an address for a visitor with IPv6, as "Pseudo IPv4".
    def pseudo_ipv4?
      !ipv6? && bytes[0] >= 240
    end

    # As RFC 5952 writes it, but never with dots in IPv6.
    def to_s
      return bytes.join(".") unless ipv6?

      groups = bytes.each_slice(2).map { |high, low| ((high << 8) | low).to_s(16) }
      runs = groups.each_index.slice_when { |a, b| groups[a] != groups[b] }.select { |run| groups[run[0]] == "0" }
      longest = runs.reject { |run| run.size < 2 }.max_by { |run| [run.size, -run[0]] }
      return groups.join(":") if longest.nil?

      "#{groups[0, longest[0]].join(":")}::#{groups[(longest[-1] + 1)..].join(":")}"
    end

    def ==(other)
      other.is_a?(IpAddress) && other.bytes == bytes
    end
  end
  private_constant :IpAddress

  # A block of addresses.
  class IpRange
    # Bits before the IPv4 address in an IPv4-mapped one.
    MAPPED_BITS = 96

    # Reads `10.0.0.0/8`, `2001:db8::/32`, `::ffff:10.0.0.0/104` or one address.
    # @return [IpRange, nil]
    def self.parse(text)
      base, length, *rest = text.to_s.strip.split("/", -1)
      address = IpAddress.parse(base)
      return nil if address.nil? || !rest.empty?

      max_bits = address.bytes.size * 8
      return new(address.bytes, max_bits) if length.nil?
      return nil unless length.match?(/\A[0-9]{1,3}\z/)

      bits = length.to_i - (max_bits == 32 && base.include?(":") ? MAPPED_BITS : 0)
      bits.between?(0, max_bits) ? new(address.bytes, bits) : nil
    end

    def initialize(bytes, prefix_bits)
      @bytes = bytes
      @prefix_bits = prefix_bits
    end

    def include?(address)
      address.bytes.size == @bytes.size && prefix(address.bytes) == prefix(@bytes)
    end

    private

    def prefix(bytes)
      bytes.reduce(0) { |number, byte| (number << 8) | byte } >> ((bytes.size * 8) - @prefix_bits)
    end
  end
  private_constant :IpRange
end
