# frozen_string_literal: true

module Gatehouse
  # Sends a challenged visitor the code and the link.
  class ConfirmationMailer < ActionMailer::Base
    def confirm(from:, to:, host:, mail:)
      text = I18n.t(
        host.nil? ? "gatehouse.mail.text_without_host" : "gatehouse.mail.text",
        host: host, code: mail.code, link: mail.link,
        default: "Somebody, probably you, signs up #{host.nil? ? "" : "at %{host} "}with this address.\n\n" \
                 "Enter this code there: %{code}\nOr open this page, and press its button: %{link}\n\n" \
                 "If it was not you, ignore this mail: no account is created.\n"
      )
      subject = I18n.t("gatehouse.mail.subject", code: mail.code, default: "Your code: %{code}")
      mail(from: from, to: to, subject: subject, body: text, content_type: "text/plain")
    end
  end
end
