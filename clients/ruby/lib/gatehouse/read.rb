# frozen_string_literal: true

module Gatehouse
  # Reads a member of an answer: one that is absent, or of another type, is the zero value of its type.
  module Read
    module_function

    def text(data, name)
      text_or_nil(data, name) || ""
    end

    def text_or_nil(data, name)
      data[name].is_a?(String) ? data[name] : nil
    end

    def integer(data, name)
      data[name].is_a?(Integer) ? data[name] : 0
    end

    def number(data, name)
      data[name].is_a?(Numeric) ? data[name] : 0.0
    end

    def flag(data, name)
      data[name] == true
    end

    def flag_or_nil(data, name)
      data[name].nil? ? nil : flag(data, name)
    end

    def members(data, name)
      data[name].is_a?(Hash) ? data[name] : {}
    end

    def values(data, name, kind)
      data[name].is_a?(Array) ? data[name].grep(kind).freeze : [].freeze
    end

    def list(data, name)
      data[name].is_a?(Array) ? data[name].grep(Hash) : []
    end
  end
  private_constant :Read
end
