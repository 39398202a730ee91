# frozen_string_literal: true

module Gatehouse
  # Splits the headers that proxies append addresses to into one text for each proxy, the nearest one last; empty elements are none.
  module Forwarded
    module_function

    # The entries of X-Forwarded-For; a quoted one without its quotes.
    def split_forwarded_for(value)
      value.split(",").reject { |part| part.strip.empty? }.map { |part| unquote(part) }
    end

    # The `for` of each element of Forwarded (RFC 7239); empty where an element has none, or has two.
    def split_forwarded(value)
      split_unquoted(value, ",").reject { |element| element.strip.empty? }.map { |element| node_of(element) }
    end

    # The text in quotes, without them.
    def unquote(text)
      trimmed = text.strip
      return trimmed unless trimmed.size >= 2 && trimmed.start_with?('"') && trimmed.end_with?('"')

      trimmed[1..-2].gsub(/\\(.)/m, '\1').strip
    end

    def node_of(element)
      pairs = split_unquoted(element, ";").map { |pair| /\A\s*([^\s=]+)\s*=(.*)\z/m.match(pair) }
      nodes = pairs.select { |pair| pair && pair[1].casecmp?("for") }.map { |pair| unquote(pair[2]) }
      nodes.size == 1 ? nodes[0] : ""
    end

    # Splits where the separator is in no quoted text. It reads from the right: a quote that the sender of the request opened
    # and did not close must not swallow what a trusted proxy appended.
    def split_unquoted(text, separator)
      parts = []
      last = text.size
      is_quoted = false
      (text.size - 1).downto(0) do |at|
        if text[at] == '"' && !(is_quoted && escaped?(text, at))
          is_quoted = !is_quoted
        elsif text[at] == separator && !is_quoted
          parts.unshift(text[(at + 1)...last])
          last = at
        end
      end
      parts.unshift(text[0...last])
    end

    def escaped?(text, at)
      text[0...at][/\\*\z/].size.odd?
    end
  end
  private_constant :Forwarded
end
