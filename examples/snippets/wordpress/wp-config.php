<?php

/** The settings of a site that the plugin protects. */

define('DB_NAME', getenv('DB_NAME') ?: 'wordpress');
define('DB_USER', getenv('DB_USER') ?: 'wordpress');
define('DB_PASSWORD', getenv('DB_PASSWORD') ?: '');
define('DB_HOST', getenv('DB_HOST') ?: 'localhost');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
    define($name . '_KEY', 'only for this example');
    define($name . '_SALT', 'only for this example');
}
define('WP_HOME', getenv('APP_URL'));
define('WP_SITEURL', getenv('APP_URL'));

define('GATEHOUSE_URL', getenv('GATEHOUSE_URL'));
define('GATEHOUSE_KEY', getenv('GATEHOUSE_KEY'));
// Proxies in front of WordPress. Without this line, the address of the connection is used.
define('GATEHOUSE_TRUSTED_PROXIES', 'loopback');

define('GATEHOUSE_TIMEOUT_MS', getenv('GATEHOUSE_TIMEOUT_MS') ?: 3000);
if (getenv('CAPTCHA_SITE_KEY')) {
    define('GATEHOUSE_CAPTCHA', 'turnstile');
    define('GATEHOUSE_CAPTCHA_SITE_KEY', getenv('CAPTCHA_SITE_KEY'));
}
// Nothing is fetched from outside.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);

$table_prefix = 'wp_';
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
