<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
    <context>
        <name>dance/behavior.xar:/words/start/Flow/Say</name>
        <message>
            <location filename="dance/behavior.xar" line="0"/>
            <source>Hello</source>
            <comment>Text</comment>
            <translation type="unfinished">Hallo &amp; guten Tag</translation>
        </message>
        <message>
            <source>Bye</source>
            <comment>Text</comment>
            <translation type="vanished">Tschüss</translation>
        </message>
        <message>
            <source>Later</source>
            <comment>Text</comment>
            <translation type="unfinished"></translation>
        </message>
    </context>
</TS>
