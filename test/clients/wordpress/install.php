<?php

/** Installs the site in this folder, as the page of its first start does, with an administrator and open registration. */

mysqli_query(new mysqli(null, 'root', '', null, 0, getenv('DB_SOCKET')), 'CREATE DATABASE wordpress');
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('APP_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('APP_URL'), PHP_URL_PORT);
$_SERVER['REQUEST_URI'] = '/';
require_once getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_install('Shop', 'admin', 'admin@example.com', true, '', getenv('ADMIN_PASSWORD'));
update_option('users_can_register', 1);
$failure = activate_plugin('gatehouse/gatehouse.php');
if (is_wp_error($failure)) {
    exit($failure->get_error_message());
}
