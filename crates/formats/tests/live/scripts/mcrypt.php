<?php
// Questions on standard input: direction, algorithm/mode, key, IV, text, in hex behind the first two.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_WARNING);
while (($line = fgets(STDIN)) !== false) {
    [$direction, $what, $key, $iv, $text] = explode(' ', rtrim($line, "\n"));
    [$algorithm, $mode] = explode('/', $what);
    [$key, $iv, $text] = array_map('hex2bin', [$key, $iv, $text]);
    $module = mcrypt_module_open($algorithm, '', $mode, '');
    mcrypt_generic_init($module, $key, $iv);
    $value = $direction === 'encrypt' ? mcrypt_generic($module, $text) : mdecrypt_generic($module, $text);
    echo bin2hex((string) $value), "\n";
    mcrypt_generic_deinit($module);
    mcrypt_module_close($module);
}
