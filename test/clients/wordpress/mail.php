<?php

/** Sends mails to the server of the test: WordPress itself knows only the mail program of the machine. */

add_action('phpmailer_init', function ($mailer) {
    $mailer->isSMTP();
    $mailer->Host = '127.0.0.1';
    $mailer->Port = (int) getenv('SMTP_PORT');
    $mailer->SMTPAutoTLS = false;
});
add_filter('wp_mail_from', fn () => 'shop@example.com');
